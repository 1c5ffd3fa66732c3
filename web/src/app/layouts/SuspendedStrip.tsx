import { useQuery } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { settingsQuery } from '../../api/settings.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as styles from './SuspendedStrip.module.css';

/** Shown on every dashboard page of a suspended seller: what the suspension means, and whom to write to. */
export function SuspendedStrip() {
  const { data: settings } = useQuery(settingsQuery);
  const email = settings?.support.email ?? '';
  return (
    <section className={styles.strip} aria-label="Your store is suspended">
      <div className={layout.page}>
        <Icon of={Ban} />
        <p>
          <b>Your store is suspended.</b> Your goods are out of the market and nothing can be
          changed. Orders that were paid go on, and so does your money. Oja suspends stores for
          complaints and broken rules.{' '}
          {email === '' ? (
            'Ask the support why.'
          ) : (
            <>
              Ask why, and how it ends:{' '}
              <a className={layout.link} href={`mailto:${email}`}>
                {email}
              </a>
            </>
          )}
        </p>
      </div>
    </section>
  );
}
