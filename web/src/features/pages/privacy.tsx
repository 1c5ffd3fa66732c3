import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Privacy Policy" className="page">
      <h1>Privacy Policy</h1>
    </Screen>
  );
}
