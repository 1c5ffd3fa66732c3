import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Contact Us" className="page">
      <h1>Contact Us</h1>
    </Screen>
  );
}
