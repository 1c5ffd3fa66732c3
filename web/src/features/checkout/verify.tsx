import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Payment Verification" className="page">
      <h1>Payment Verification</h1>
    </Screen>
  );
}
