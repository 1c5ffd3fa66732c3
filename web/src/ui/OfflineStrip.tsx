import { WifiOff } from 'lucide-react';
import { Icon } from './Icon.js';
import { useOnline } from './use-online.js';

/** The thin strip under the header on pages that go on working. */
export function OfflineStrip() {
  const online = useOnline();
  return (
    <div role="status">
      {!online && (
        <p className="offline-strip">
          <Icon of={WifiOff} size="s" />
          You are offline
        </p>
      )}
    </div>
  );
}
