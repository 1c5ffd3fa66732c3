import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Terms and Conditions" className="page">
      <h1>Terms and Conditions</h1>
    </Screen>
  );
}
