import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Transaction" className="page">
      <h1>Transaction</h1>
    </Screen>
  );
}
