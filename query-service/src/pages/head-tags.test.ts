import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escaped, jsonInHtml } from './head-tags.js';
import { shortened } from './page-heads.js';

it('leaves no sign in a text that HTML or XML would read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(escaped(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
    }),
  );
});

it('keeps JSON what it was, and lets none of it end a script', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const value: unknown = JSON.parse(json);
      const written = jsonInHtml(value);
      expect(written).not.toMatch(/[<>&\u2028\u2029]/);
      expect(JSON.parse(written)).toEqual(value);
    }),
  );
  expect(jsonInHtml('</script><!--')).not.toContain('<');
});

it('shortens a description between words, on one line', () => {
  expect(shortened('one\n two ')).toBe('one two');
  const short = shortened('word '.repeat(100));
  expect(short.endsWith('word…')).toBe(true);
  expect([...short].length).toBeLessThanOrEqual(201);
});

it('cuts no character in half', () => {
  const short = shortened(`₦11,500, Ikeja, Lagos. ${'😀'.repeat(300)}`);
  expect(Buffer.from(short).toString()).toBe(short);
  expect(short).toHaveLength(23 + 2 * 77 + 1);
});
