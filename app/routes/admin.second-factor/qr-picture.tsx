/** Black on white in both themes, because cameras expect it so; the white reaches beyond the code (its quiet zone). */
export function QrPicture({ qrCode: { size, path }, label }: QrPictureProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 shrink-0 rounded-md border"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

interface QrPictureProps {
  qrCode: { size: number; path: string };
  label: string;
}
