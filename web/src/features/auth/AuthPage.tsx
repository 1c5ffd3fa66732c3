import type { ReactNode } from 'react';
import { Screen } from '../../app/Screen.js';
import '../../styles/parts/auth.css';
import { Cloth } from '../../ui/Cloth.js';
import { Logo } from '../../ui/Logo.js';

interface AuthPageProps {
  readonly title: string;
  readonly heading: string;
  /** Said on the cloth, on large screens. */
  readonly saying: string;
  readonly children: ReactNode;
}

/** Login and sign-up: the quilt with the logo, and a form. */
export function AuthPage({ title, heading, saying, children }: AuthPageProps) {
  return (
    <div className="auth">
      <Cloth as="header" className="authcloth">
        <Logo onCloth />
        <p className="authsay only-l">{saying}</p>
      </Cloth>
      <Screen title={title} className="authform">
        <h1>{heading}</h1>
        {children}
      </Screen>
    </div>
  );
}
