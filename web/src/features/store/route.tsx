import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Store" className="page">
      <h1>Store</h1>
    </Screen>
  );
}
