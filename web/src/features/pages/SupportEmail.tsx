import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../api/settings.js';

/** The support's address, once it is known; until then the way to the contact form. */
export function SupportEmail() {
  const email = useQuery(settingsQuery).data?.support.email;
  return email === undefined ? (
    <a className="link" href="/contact">
      our contact page
    </a>
  ) : (
    <a className="link" href={`mailto:${email}`}>
      {email}
    </a>
  );
}
