import { pagePaths } from '@oja/contracts/pages';
import { type ReactNode, useState } from 'react';
import { Screen } from '../../app/Screen.js';
import { currentUser } from '../../stores/session.js';
import { Cloth } from '../../ui/Cloth.js';
import { Link } from '../../ui/Link.js';
import { Logo } from '../../ui/Logo.js';
import * as layout from '../../ui/layout.module.css';
import * as styles from './AuthPage.module.css';

interface AuthPageProps {
  readonly title: string;
  readonly heading: string;
  /** Shown on the cloth, on wide screens only. */
  readonly tagline: string;
  readonly children: ReactNode;
}

/** Frame of login and sign-up: a quilt with the logo, and a form. Says so where a store is signed in already. */
export function AuthPage({ title, heading, tagline, children }: AuthPageProps) {
  // As it was when the page opened: the form itself signs in before it leads on.
  const [user] = useState(currentUser);
  return (
    <div className={styles.page}>
      <Cloth as="header" className={styles.cloth}>
        <Logo onCloth />
        <p className={`${styles.promise} ${layout.onlyWide}`}>{tagline}</p>
      </Cloth>
      <Screen title={title} className={styles.form}>
        <h1>{heading}</h1>
        {user !== null && (
          <p className={styles.signedIn}>
            {user.businessName} is signed in here.{' '}
            <Link className={layout.link} to={pagePaths.dashboard}>
              Go to its dashboard
            </Link>
          </p>
        )}
        {children}
      </Screen>
    </div>
  );
}
