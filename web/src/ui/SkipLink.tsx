/** The first stop of the keyboard: past the header, to the goods. */
export function SkipLink() {
  return (
    <a className="skip" href="#main">
      Skip to content
    </a>
  );
}
