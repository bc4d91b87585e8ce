import { Bold, Heading, Italic, Link, List, Quote, type LucideIcon } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import { FormField } from "~/components/form-field";
import { Button } from "~/components/ui/button";
import {
  Collapsible,
  CollapsibleContent,
  CollapsibleIcon,
  CollapsibleTrigger,
} from "~/components/ui/collapsible";
import { NativeSelect } from "~/components/ui/native-select";
import { Textarea } from "~/components/ui/textarea";
import { Tooltip, TooltipContent, TooltipTrigger } from "~/components/ui/tooltip";
import { useHydrated } from "~/components/use-hydrated";
import { writingMessages as copy } from "~/content/writing";
import {
  editMarkdown,
  findMarkdownEdit,
  MARKDOWN_EDITS,
  type MarkdownEdit,
  type TextChange,
} from "~/lib/markdown-edit";
import type { MergeField } from "~/lib/merge-fields";
import { MESSAGE_FORMATS, type MessageFormat } from "~/lib/message-format";

const ICONS: Record<MarkdownEdit, LucideIcon> = {
  bold: Bold,
  italic: Italic,
  link: Link,
  heading: Heading,
  list: List,
  quote: Quote,
};

interface MessageFieldProps {
  label: string;
  error: string | undefined;
  values: { message: string; format: MessageFormat };
  /** The fields that the text can have. */
  fields: readonly MergeField[];
}

/** The text of an email and its format. With JavaScript, buttons and keys write the Markdown and the fields. */
export function MessageField({ label, error, values, fields }: MessageFieldProps) {
  const textarea = useRef<HTMLTextAreaElement>(null);
  const isHydrated = useHydrated();
  const [format, setFormat] = useState(values.format);
  const hasButtons = isHydrated && format === "markdown";

  const change = (toChange: (value: string, start: number, end: number) => TextChange) => {
    const { current } = textarea;
    if (!current) return;
    apply(current, toChange(current.value, current.selectionStart, current.selectionEnd));
  };
  const press = (edit: MarkdownEdit) => change((value, start, end) => editMarkdown(edit, value, start, end));
  const onKeyDown = (event: KeyboardEvent) => {
    const edit = hasButtons ? findMarkdownEdit(event) : undefined;
    if (!edit) return;
    event.preventDefault();
    press(edit);
  };

  return (
    <div className="flex flex-col gap-2">
      <FormField label={label} hint={copy.hints[format]} error={error}>
        {(control) => (
          <div className="flex flex-col gap-2">
            <div className="flex flex-wrap items-center gap-1">
              <NativeSelect
                name="format"
                aria-label={copy.format}
                value={format}
                onChange={(event) => setFormat(event.currentTarget.value as MessageFormat)}
                className="w-auto"
              >
                {MESSAGE_FORMATS.map((each) => (
                  <option key={each} value={each}>
                    {copy.formats[each]}
                  </option>
                ))}
              </NativeSelect>
              {hasButtons ? (
                <div role="group" aria-label={copy.toolbar} className="flex flex-wrap gap-1">
                  {MARKDOWN_EDITS.map((edit) => (
                    <EditButton key={edit} edit={edit} onPress={() => press(edit)} />
                  ))}
                </div>
              ) : null}
            </div>
            <Textarea
              {...control}
              ref={textarea}
              name="message"
              rows={12}
              defaultValue={values.message}
              onKeyDown={onKeyDown}
            />
          </div>
        )}
      </FormField>
      <Collapsible>
        <CollapsibleTrigger className="w-fit text-xs text-muted-foreground hover:text-foreground">
          <CollapsibleIcon />
          {copy.fieldsTitle}
        </CollapsibleTrigger>
        <CollapsibleContent className="mt-2">
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 text-xs">
            {fields.map((field) => {
              const written = `{{${field}${copy.fieldDefaults[field]}}}`;
              const insert = () =>
                change((_, start, end) => {
                  const at = start + written.length;
                  return { start, end, text: written, selection: [at, at] };
                });
              return (
                <div key={field} className="col-span-2 grid grid-cols-subgrid items-center">
                  <dt>
                    {isHydrated ? (
                      <Button
                        type="button"
                        variant="outline"
                        size="sm"
                        className="font-mono"
                        onClick={insert}
                      >
                        <span className="sr-only">{copy.insert} </span>
                        {written}
                      </Button>
                    ) : (
                      <code>{written}</code>
                    )}
                  </dt>
                  <dd className="text-muted-foreground">{copy.fields[field]}</dd>
                </div>
              );
            })}
          </dl>
        </CollapsibleContent>
      </Collapsible>
    </div>
  );
}

function EditButton({ edit, onPress }: { edit: MarkdownEdit; onPress: () => void }) {
  const Icon = ICONS[edit];
  const { name, keys } = copy.edits[edit];
  return (
    <Tooltip>
      <TooltipTrigger asChild>
        <Button type="button" variant="ghost" size="icon" aria-keyshortcuts={keys} onClick={onPress}>
          <Icon aria-hidden />
          <TooltipContent>
            {name} <span aria-hidden>{keys.replace("Control", "Ctrl")}</span>
          </TooltipContent>
        </Button>
      </TooltipTrigger>
    </Tooltip>
  );
}

/** Changes the text as if typed, so that the browser can undo it and the form knows of it. */
function apply(textarea: HTMLTextAreaElement, { start, end, text, selection }: TextChange): void {
  textarea.focus();
  textarea.setSelectionRange(start, end);
  const isEmpty = text === "" && start === end;
  // The only way to change a text that Ctrl+Z takes back. Firefox inserts no empty text, yet says that it did; without
  // a selection "delete" would take the character before.
  if (!isEmpty && !document.execCommand(text === "" ? "delete" : "insertText", false, text)) {
    textarea.setRangeText(text, start, end);
    textarea.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  textarea.setSelectionRange(...selection);
}
