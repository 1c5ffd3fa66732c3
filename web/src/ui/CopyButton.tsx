import { Copy } from 'lucide-react';
import { IconButton } from './Button.js';
import * as styles from './Button.module.css';
import { copyText } from './copy.js';

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
