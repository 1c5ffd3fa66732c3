import { Copy } from 'lucide-react';
import { IconButton } from './Button.js';
import * as styles from './Button.module.css';
import { toast } from './toast.js';

/** In ms: long enough to mark it. */
const BY_HAND_MS = 20_000;

/**
 * Puts text where it can be pasted from, and says what came of it: where the browser refuses, it can be marked there.
 * @param done said once it is copied
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
  /** What is copied. */
  readonly text: string;
  /** What a reader hears after 'Copy', like 'the order number'. */
  readonly what: string;
  /** Within a line of text, which it makes no taller. */
  readonly inLine?: boolean;
}

/** Copies what stands beside it. */
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
