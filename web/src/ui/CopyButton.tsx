import { Copy } from 'lucide-react';
import { IconButton } from './Button.js';
import * as styles from './Button.module.css';
import { toast } from './toast.js';

/** In ms: long enough to select the text. */
const BY_HAND_MS = 20_000;

/**
 * Copies text to the clipboard and shows a toast. If the browser refuses, the toast shows the text to select
 * by hand.
 * @param done the message after copying
 */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(done);
  } catch {
    toast.error(text, { title: 'Copy it from here', duration: BY_HAND_MS });
  }
}

interface CopyButtonProps {
  /** The text to copy. */
  readonly text: string;
  /** What screen readers hear after 'Copy', such as 'the order number'. */
  readonly what: string;
  /** Stands within a line of text without making it taller. */
  readonly inLine?: boolean;
}

/** Copies the text that stands beside it. */
export function CopyButton({ text, what, inLine = false }: CopyButtonProps) {
  return (
    <IconButton
      of={Copy}
      iconSize="s"
      className={inLine ? styles.inLine : undefined}
      label={`Copy ${what}`}
      onClick={() => void copyText(text, `${text} copied`)}
    />
  );
}
