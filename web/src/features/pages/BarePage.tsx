import { pagePaths } from '@oja/contracts/pages';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { settingsQuery } from '../../api/settings.js';
import { Screen } from '../../app/Screen.js';
import { Breadcrumb } from '../../ui/Breadcrumb.js';
import { classes } from '../../ui/classes.js';
import { Logo } from '../../ui/Logo.js';
import * as layout from '../../ui/layout.module.css';
import * as styles from './BarePage.module.css';

interface BarePageProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Sets the page as a narrow column of text that reads well. */
  readonly text?: boolean;
}

/** A page without a header: the logo, a breadcrumb home, and its heading. */
export function BarePage({ title, text = false, children }: BarePageProps) {
  return (
    <Screen title={title} className={classes(layout.page, styles.page, text && layout.narrow)}>
      <Logo />
      <Breadcrumb
        separator="|"
        crumbs={[{ label: 'Home', to: pagePaths.home }, { label: title }]}
      />
      <h1>{title}</h1>
      {children}
    </Screen>
  );
}

/** The support's e-mail address; while it is unknown or not set, a link to the contact form. */
export function SupportEmail() {
  const email = useQuery(settingsQuery).data?.support.email;
  return email === undefined || email === '' ? (
    <a className={layout.link} href={pagePaths.contact}>
      our contact page
    </a>
  ) : (
    <a className={layout.link} href={`mailto:${email}`}>
      {email}
    </a>
  );
}
