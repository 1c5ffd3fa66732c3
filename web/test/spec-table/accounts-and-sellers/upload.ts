import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import {
  asSeller,
  callCount,
  count,
  failure,
  file,
  fillUpload,
  pictures,
  press,
  sentValue,
  sequence,
  upload,
} from '../steps.js';

const ADD = 'POST /v1/add-product';
const page = at('/upload-product', asSeller);
const previews = count('.Pictures-previews img');
const pick =
  (...files: readonly File[]) =>
  (stage: Stage) =>
    stage.pick(...files);
const bar = (stage: Stage) =>
  stage.find('[role=progressbar]')[0]?.getAttribute('aria-valuenow') ?? '';

/** Sends the first picture and holds the second back. */
async function halfOfThePictures(stage: Stage) {
  await fillUpload(stage);
  const goOn = stage.holds('image host');
  await stage.press('Upload');
  await stage.until(() => {
    if (stage.pictures.length < 1) throw new Error('No picture has come');
  });
  stage.holds('image host');
  goOn();
}

async function refused(stage: Stage) {
  stage.answers(ADD, 500, failure());
  await upload(stage);
}

export const uploading: readonly Row[] = [
  page('nothing chosen', 'Please select a subcategory!', 'text', press('Upload')),
  page('nothing typed', 'Please enter all asterisked (*) fields!', 'text', press('Upload')),
  page(
    'fields that are needed and empty',
    3,
    (stage) =>
      stage
        .find('.Field-message')
        .filter((one) => one.textContent === 'Please enter all asterisked (*) fields!').length,
    press('Upload'),
  ),
  page('no place', 'Please select a State and Local Govt!', 'text', press('Upload')),
  page('no picture', 'Please select a file.', 'text', press('Upload')),
  page('no picture', 'you did not select any image before uploading...', 'toast', press('Upload')),
  page(
    'one picture',
    'minimum number of file is 2.',
    'text',
    sequence(pick(...pictures(1)), press('Upload')),
  ),
  page('one picture', 'Please select at least 2 images.', 'text', pick(...pictures(1))),
  page('the rule of pictures', /Minimum 2 and maximum 6 images\./),
  page('six pictures', 6, previews, pick(...pictures(6))),
  page('seven pictures', 'Maximus number of file is 6.', 'toast', pick(...pictures(7))),
  page('seven pictures', 'You can only upload up to 6 images.', 'text', pick(...pictures(7))),
  page('seven pictures, how many are taken', 6, previews, pick(...pictures(7))),
  page(
    'a picture of 5 MB and a byte',
    'File too large',
    'toast',
    pick(file('big.jpg', 'image/jpeg', 5, 1)),
  ),
  page(
    'a picture of 5 MB and a byte',
    'Maximum allowed size is 5 MB.',
    'toast',
    pick(file('big.jpg', 'image/jpeg', 5, 1)),
  ),
  page('a picture of 5 MB', 1, previews, pick(file('fits.jpg', 'image/jpeg', 5, 0))),
  page(
    'what its picker takes',
    'image/*',
    (stage) => stage.find('input[type=file]')[0]?.getAttribute('accept') ?? '',
  ),
  page(
    'a picture and a file that is none',
    1,
    previews,
    pick(file('page.pdf', 'application/pdf'), ...pictures(1)),
  ),
  page('the first picture', 'Title picture', 'text', pick(...pictures(2))),
  page('title pictures', 1, count('.Pictures-previews .ProductCard-tag'), pick(...pictures(3))),
  page(
    'the second picture moved forward',
    'Picture 2 is picture 1 now, the title picture.',
    'text',
    sequence(pick(...pictures(2)), press('Move picture 2 forward')),
  ),
  page('a preview pressed', 1, previews, sequence(pick(...pictures(2)), press(/Remove picture 1/))),

  page('a price typed: what shoppers pay', '₦11,500', 'text', (stage) =>
    stage.type('Your price', '10000'),
  ),
  page('the price sent for 10,000', 11_500, sentValue(ADD, 'updatedInput', 'price'), upload),
  page(
    'the price sent for 101, half up',
    116,
    sentValue(ADD, 'updatedInput', 'price'),
    sequence(fillUpload, (stage) => stage.type('Your price', '101'), press('Upload')),
  ),
  page(
    'what is sent',
    'updatedInput,imageUrls',
    (stage) => Object.keys(Object(stage.callsTo(ADD)[0]?.body)).join(),
    upload,
  ),
  page(
    'the addresses sent',
    '["https://images.oja.test/1.jpg","https://images.oja.test/2.jpg"]',
    sentValue(ADD, 'imageUrls'),
    upload,
  ),
  page('the place sent', 'Nsukka', sentValue(ADD, 'updatedInput', 'local_govt'), upload),
  page('a condition sent as', 'Used', sentValue(ADD, 'updatedInput', 'cond'), async (stage) => {
    await fillUpload(stage);
    await stage.press('Category', 'Phones and Laptop', 'Laptop');
    await stage.choose('Condition', 'Used');
    await stage.type('Product name', 'Laptop');
    await stage.type('Your price', '90000');
    await stage.type('Description', 'Hardly used.');
    await stage.press('Upload');
  }),
  page(
    'water resistance sent as',
    1,
    sentValue(ADD, 'updatedInput', 'water_resistance'),
    async (stage) => {
      await fillUpload(stage);
      await stage.press('Category', 'Fashion', 'Watches');
      await stage.choose('Water resistant', 'Yes');
      await stage.type('Product name', 'Diver');
      await stage.type('Your price', '90000');
      await stage.type('Description', 'Dives.');
      await stage.press('Upload');
    },
  ),
  page(
    'the fields that reach the image host',
    'file,upload_preset',
    (stage) => [...(stage.pictures[0]?.keys() ?? [])].join(),
    upload,
  ),

  page('the first of two pictures up', '25', bar, halfOfThePictures),
  page('the first of two pictures up', '25% complete', 'text', halfOfThePictures),
  page('all pictures up, the post on its way', '50% complete', 'text', (stage) => {
    stage.holds(ADD);
    return upload(stage);
  }),
  page(
    'uploaded, the product remembered',
    'p9',
    (stage) =>
      String(Reflect.get(Object(Reflect.get(Object(stage.kept('auth-storage')), 'state')), 'pid')),
    upload,
  ),
  page(
    'uploaded and back',
    '',
    (stage) => stage.value('Product name'),
    async (stage) => {
      await upload(stage);
      await stage.sees('All Products', 'heading');
      await stage.go('/upload-product');
    },
  ),
  page('uploaded: the own products are read', 1, callCount('GET /v1/user/products'), upload),
  page(
    'refused',
    'Something went wrong. if this keeps showing please Contact Us',
    'toast',
    refused,
  ),
  page('refused: the spinner stops', 0, count('[role=progressbar]'), async (stage) => {
    await refused(stage);
    await stage.sees('Something went wrong. if this keeps showing please Contact Us', 'toast');
  }),
];
