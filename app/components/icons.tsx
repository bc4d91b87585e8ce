import type { SVGAttributes } from "react";
import sprite from "./icons.svg";

export type Icon = (props: SVGAttributes<SVGSVGElement>) => JSX.Element;

/** Shows a symbol of icons.svg, which is fetched once for all pages. Its look is the class in tailwind.css. */
function icon(symbol: string): Icon {
  return function Icon({ className, ...props }) {
    return (
      <svg className={className ? `icon ${className}` : "icon"} {...props}>
        <use href={`${sprite}#${symbol}`} />
      </svg>
    );
  };
}

export const AppWindow = icon("app-window");
export const ArrowDown = icon("arrow-down");
export const ArrowRight = icon("arrow-right");
export const ArrowUpRight = icon("arrow-up-right");
export const AudioLines = icon("audio-lines");
export const Bell = icon("bell");
export const BellRing = icon("bell-ring");
export const Check = icon("check");
export const ChevronDown = icon("chevron-down");
export const ChevronUp = icon("chevron-up");
export const CircleAlert = icon("circle-exclamation-point");
export const CircleCheck = icon("circle-check");
export const CircleHelp = icon("circle-question-mark");
export const CircleSlash = icon("circle-slash");
export const Clock = icon("clock");
export const Copy = icon("copy");
export const CopyCheck = icon("copy-check");
export const Database = icon("database");
export const Download = icon("download");
export const Gauge = icon("gauge");
export const History = icon("rotate-ccw-clock");
export const Inbox = icon("inbox");
export const Info = icon("info");
export const KeyRound = icon("key-round");
export const KeySquare = icon("key-square");
export const Keyboard = icon("keyboard");
export const LayoutDashboard = icon("layout-dashboard");
export const ListChecks = icon("list-checks");
export const LoaderCircle = icon("loader-circle");
export const LockKeyhole = icon("lock-keyhole");
export const LogOut = icon("log-out");
export const Envelope = icon("mail");
export const MailX = icon("mail-x");
export const Menu = icon("menu");
export const MessageSquareText = icon("message-square-text");
export const MessagesSquare = icon("messages-square");
export const Monitor = icon("monitor");
export const MonitorSmartphone = icon("monitor-smartphone");
export const Moon = icon("moon");
export const PanelLeftClose = icon("panel-left-close");
export const PanelLeftOpen = icon("panel-left-open");
export const Pause = icon("pause");
export const PenLine = icon("pen-line");
export const PencilLine = icon("pencil-line");
export const Play = icon("play");
export const Plus = icon("plus");
export const Printer = icon("printer");
export const RefreshCw = icon("refresh-cw");
export const ScrollText = icon("scroll-text");
export const Search = icon("search");
export const Send = icon("send");
export const SendHorizontal = icon("send-horizontal");
export const ShieldCheck = icon("shield-check");
export const ShieldQuestion = icon("shield-question-mark");
export const Smartphone = icon("smartphone");
export const Sun = icon("sun");
export const Table2 = icon("table-2");
export const Tag = icon("tag");
export const TextQuote = icon("text-quote");
export const Trash2 = icon("trash");
export const TriangleAlert = icon("triangle-exclamation-point");
export const UserPlus = icon("user-plus");
export const UserRound = icon("user-round");
export const UserRoundPlus = icon("user-round-plus");
export const Users = icon("users");
export const X = icon("x");
