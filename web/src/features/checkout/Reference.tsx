/** What to name when writing or calling about a payment. */
export function Reference({ text }: { readonly text: string }) {
  return (
    <p className="tiny muted reference">
      Reference <span className="num">{text}</span>
    </p>
  );
}
