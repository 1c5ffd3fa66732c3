import type { ReactNode } from 'react';
import { Screen } from '../../app/Screen.js';
import { Breadcrumb } from '../../ui/Breadcrumb.js';
import { classes } from '../../ui/classes.js';
import { Logo } from '../../ui/Logo.js';
import './pages.css';

interface BarePageProps {
  readonly title: string;
  readonly children: ReactNode;
  /** A column of text, in a width that reads well. */
  readonly text?: boolean;
}

/** A page without a header: the logo, the way home, its heading. */
export function BarePage({ title, text = false, children }: BarePageProps) {
  return (
    <Screen title={title} className={classes('page bare', text && 'narrow')}>
      <Logo />
      <Breadcrumb separator="|" crumbs={[{ label: 'Home', to: '/' }, { label: title }]} />
      <h1>{title}</h1>
      {children}
    </Screen>
  );
}
