import { describe, expect, it } from 'vitest';
import {
  attributeLabels,
  attributeNames,
  categories,
  categoryByName,
  offeredSubcategories,
  subcategories,
  subcategoryById,
  subcategoryByName,
  toSlug,
} from './catalogue.js';

describe('the catalogue', () => {
  it('has 28 subcategories; the five of food are offered nowhere', () => {
    expect(subcategories.map(({ id }) => id)).toEqual(Array.from({ length: 28 }, (_, n) => n + 1));
    const hidden = subcategories.filter((s) => !offeredSubcategories.includes(s));
    expect(hidden.map(({ id }) => id)).toEqual([8, 9, 10, 11, 12]);
  });

  it('offers every name its categories list, once', () => {
    const listed = categories.flatMap((category) => [...category.subcategories] as string[]);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.sort()).toEqual(offeredSubcategories.map(({ name }) => name).sort());
  });

  it('is found by number, by name and by address, ignoring case', () => {
    expect(subcategoryById(18)?.name).toBe('Mobile Phones');
    expect(subcategoryById(29)).toBeNull();
    for (const { id, name } of subcategories) {
      expect(subcategoryByName(name.toUpperCase())?.id).toBe(id);
      expect(subcategoryByName(toSlug(name))?.id).toBe(id);
    }
    expect(subcategoryByName('Cars')).toBeNull();
    expect(categoryByName('beauty-and-skincare')?.name).toBe('Beauty and Skincare');
    expect(categoryByName('Food')).toBeNull();
  });

  it('has a label for every attribute', () => {
    expect(Object.keys(attributeLabels)).toEqual([...attributeNames]);
  });
});
