import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Your cart" className="page">
      <h1>Your cart</h1>
    </Screen>
  );
}
