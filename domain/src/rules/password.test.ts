import { describe, expect, it } from 'vitest';
import { passwordProblem } from './password.js';

const owner = { name: 'Ngozi Eze-Okafor', businessName: 'Ọ̀já Leather & Sons' };
const common = new Set(['password', '12345678', 'iloveyou', 'football1']);
const problem = (password: string) => passwordProblem(password, owner, (text) => common.has(text));

describe('a new password', () => {
  it.each([
    'a long enough secret',
    'market-day',
    'leather bags of Yaba',
    'Ọmọ-Yaba 77',
    'abcdabcd',
    'abcd'.repeat(32),
    'pass1word',
    'Eze19900',
  ])('may be %s', (password) => expect(problem(password)).toBeNull());

  it.each([
    ['short', 'minimum of 8 characters'],
    ['x'.repeat(129), 'maximum of 128 characters'],
    ['aaaaaaaa', 'choose one with more different characters'],
    ['abcabcab', 'choose one with more different characters'],
    ['12121212', 'choose one with more different characters'],
    ['12345678', 'many people use this password: choose another one'],
    ['PassWord2026!', 'many people use this password: choose another one'],
    ['iloveyou', 'many people use this password: choose another one'],
    ['12password', 'many people use this password: choose another one'],
    ['Football1', 'many people use this password: choose another one'],
    ['ngozi eze okafor', 'choose one that is not your name or business name'],
    ['OjaLeatherSons', 'choose one that is not your name or business name'],
    ['Okafor1990', 'choose one that is not your name or business name'],
    ['Sons2026', 'choose one that is not your name or business name'],
    ['!!leather!!', 'choose one that is not your name or business name'],
  ])('may not be %s', (password, why) => expect(problem(password)).toBe(why));

  it('may not be a name that ends in figures, and of signs alone it is nobody’s name', () => {
    const numbered = { name: '-', businessName: 'Bag 2024' };
    const none = () => false;
    expect(passwordProblem('bag--2024', numbered, none)).toBe(
      'choose one that is not your name or business name',
    );
    expect(passwordProblem('!?$#!?$#', numbered, none)).toBeNull();
  });
});
