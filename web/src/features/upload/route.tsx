import { Screen } from '../../app/Screen.js';
import '../../styles/parts/upload.css';
import { useUser } from '../../stores/session.js';
import { UploadForm } from './UploadForm.js';

/** Upload of a product: the form is the seller's draft, kept until it is up. */
export function Component() {
  const user = useUser();
  if (user === null) return null;
  return (
    <Screen title="Upload a product">
      <div className="hd">
        <div>
          <h1>Upload a product</h1>
          <p className="muted">
            {user.businessName}. Fields with <em className="star">*</em> are needed.
          </p>
        </div>
      </div>
      <UploadForm sellerId={user.user_id} />
    </Screen>
  );
}
