import { Link } from 'react-router-dom';
import { Cloth } from '../ui/Cloth.js';

/** Below home, about and contact. Contact is reached by a full page load; two have no page yet. */
export function Footer() {
  return (
    <Cloth as="footer" className="foot">
      <div className="page in">
        <ul>
          <li>
            <Link to="/about">About</Link>
          </li>
          <li>
            <Link to="/terms-&-conditions">Terms and Conditions</Link>
          </li>
          <li>
            <Link to="/privacy-policy">Privacy Policy</Link>
          </li>
          <li>
            <span>Cookie Policy</span>
          </li>
          <li>
            <a href="/contact">Contact Us</a>
          </li>
          <li>
            <span>FAQ</span>
          </li>
        </ul>
        <p>Oja. Your money is held until you confirm delivery.</p>
      </div>
    </Cloth>
  );
}
