import { Upload } from 'lucide-react';
import { Cloth } from '../../ui/Cloth.js';
import { Dialog } from '../../ui/Dialog.js';
import { Icon } from '../../ui/Icon.js';
import { PercentBar } from '../../ui/PercentBar.js';
import { percentOf, type UploadStep, wordsOfStep } from './percent.js';

/** Over the whole page while an upload runs; it goes away by itself. */
export function Uploading({ step }: { readonly step: UploadStep | undefined }) {
  return (
    <Dialog
      open={step !== undefined}
      onClose={stay}
      plain
      className="prog"
      title="Uploading your product"
      headAction={
        <Cloth as="span" motif="steps" className="seal up">
          <Icon of={Upload} />
        </Cloth>
      }
    >
      {step && (
        <>
          <p className="muted c said" role="status">
            {wordsOfStep(step)}
          </p>
          <PercentBar value={percentOf(step)} label="Upload" />
        </>
      )}
    </Dialog>
  );
}

/** Neither Escape nor a press outside stops what is being sent. */
function stay() {}
