/** What the payment form asks, and why. */
export function WhereTo() {
  return (
    <>
      <h1>Where should it go?</h1>
      <p className="muted intro">
        No account needed. Your name, address and phone are used only to deliver.
      </p>
    </>
  );
}
