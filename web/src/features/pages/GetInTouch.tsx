import { useQuery } from '@tanstack/react-query';
import { Mail, MapPin, Phone } from 'lucide-react';
import { settingsQuery } from '../../api/settings.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { Skeleton } from '../../ui/Skeleton.js';

/** Where else to reach us. */
export function GetInTouch() {
  return (
    <aside className="panel touch">
      <h2>Get in touch</h2>
      <Details />
    </aside>
  );
}

function Details() {
  const { data, isError, fetchStatus, refetch } = useQuery(settingsQuery);
  if (data !== undefined) {
    const { phone, address, email } = data.support;
    return (
      <address>
        <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
          <Icon of={Phone} />
          <span className="num">{phone}</span>
        </a>
        <p>
          <Icon of={MapPin} />
          {address}
        </p>
        <a href={`mailto:${email}`}>
          <Icon of={Mail} />
          {email}
        </a>
      </address>
    );
  }
  if (isError || fetchStatus === 'paused')
    return (
      <div role="status" className="stack">
        <p className="muted">Our phone number and address did not load.</p>
        <Button look="line" size="s" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  return (
    <div className="stack" aria-busy="true">
      <Skeleton height={28} />
      <Skeleton height={28} />
      <Skeleton height={28} />
    </div>
  );
}
