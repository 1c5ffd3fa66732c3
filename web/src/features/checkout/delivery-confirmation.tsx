import { Screen } from '../../app/Screen.js';

export function Component() {
  return (
    <Screen title="Have you received the product?" className="page">
      <h1>Have you received the product?</h1>
    </Screen>
  );
}
