import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="About Us" className="page">
      <h1>About Us</h1>
    </Screen>
  );
}
