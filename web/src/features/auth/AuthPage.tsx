import type { ReactNode } from 'react';
import { Screen } from '../../app/Screen.js';
import { Cloth } from '../../ui/Cloth.js';
import { Logo } from '../../ui/Logo.js';
import * as layout from '../../ui/layout.module.css';
import * as styles from './AuthPage.module.css';

interface AuthPageProps {
  readonly title: string;
  readonly heading: string;
  /** Shown on the cloth, on wide screens only. */
  readonly saying: string;
  readonly children: ReactNode;
}

/** Frame of login and sign-up: a quilt with the logo, and a form. */
export function AuthPage({ title, heading, saying, children }: AuthPageProps) {
  return (
    <div className={styles.page}>
      <Cloth as="header" className={styles.cloth}>
        <Logo onCloth />
        <p className={`${styles.promise} ${layout.onlyWide}`}>{saying}</p>
      </Cloth>
      <Screen title={title} className={styles.form}>
        <h1>{heading}</h1>
        {children}
      </Screen>
    </div>
  );
}
