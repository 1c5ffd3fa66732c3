import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Product" className="page">
      <h1>Product</h1>
    </Screen>
  );
}
