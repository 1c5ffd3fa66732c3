import { describe, expect, it } from 'vitest';
import { passwordProblem } from './password.js';

const owner = { name: 'Ngozi Eze-Okafor', businessName: 'Ọ̀já Leather & Sons' };
const common = new Set(['password', '12345678', 'iloveyou', 'football1']);
const problem = (password: string) => passwordProblem(password, owner, (text) => common.has(text));

describe('a new password', () => {
  it.each(['a long enough secret', 'market-day', 'leather bags of Yaba', 'Ọmọ-Yaba 77'])(
    'may be %s',
    (password) => expect(problem(password)).toBeNull(),
  );

  it.each([
    ['short', 'minimum of 8 characters'],
    ['x'.repeat(129), 'maximum of 128 characters'],
    ['aaaaaaaa', 'choose one with more different characters'],
    ['12121212', 'choose one with more different characters'],
    ['12345678', 'many people use this password: choose another one'],
    ['PassWord2026!', 'many people use this password: choose another one'],
    ['iloveyou', 'many people use this password: choose another one'],
    ['Football1', 'many people use this password: choose another one'],
    ['ngozi eze okafor', 'choose one that is not your name or business name'],
    ['OjaLeatherSons', 'choose one that is not your name or business name'],
    ['Okafor1990', 'choose one that is not your name or business name'],
    ['!!leather!!', 'choose one that is not your name or business name'],
  ])('may not be %s', (password, why) => expect(problem(password)).toBe(why));
});
