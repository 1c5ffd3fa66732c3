import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Checkout" className="page">
      <h1>Checkout</h1>
    </Screen>
  );
}
