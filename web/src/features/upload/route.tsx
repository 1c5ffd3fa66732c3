import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Upload a product" className="page">
      <h1>Upload a product</h1>
    </Screen>
  );
}
