import { Outlet } from 'react-router-dom';
import { PlainHeader } from '../header/PlainHeader.js';

/** The logo alone: payment, verification, confirmation, reviews and unknown addresses. */
export function PlainLayout() {
  return (
    <>
      <PlainHeader />
      <Outlet />
    </>
  );
}
