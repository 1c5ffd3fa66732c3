import { Copy } from 'lucide-react';
import { IconButton } from './Button.js';
import { copyText } from './copy.js';

interface CopyButtonProps {
  /** What is copied. */
  readonly text: string;
  /** What a reader hears after 'Copy', like 'the order number'. */
  readonly what: string;
}

/** Copies what stands beside it. */
export function CopyButton({ text, what }: CopyButtonProps) {
  return (
    <IconButton
      of={Copy}
      iconSize="s"
      label={`Copy ${what}`}
      onClick={() => void copyText(text, `${text} copied`)}
    />
  );
}
