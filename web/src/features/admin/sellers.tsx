import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Total Sellers" className="page">
      <h1>Total Sellers</h1>
    </Screen>
  );
}
