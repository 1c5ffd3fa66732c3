import { describe, expect, it } from 'vitest';
import { businessNameProblem } from './new-business-name.js';

describe('a new business name', () => {
  it.each([
    'Oja Ade Fabrics',
    'Security Doors',
    'Helping Hand',
    'Market Women',
    'محل عادل',
    'Ẹ̀kọ́ Ṣọ́ọ̀bù',
    'Ɓauna Ɗan Ƙasa',
    'Ada Stores',
    "Ada's Bags & Sons",
    'Ọ̀já Ńlá',
    'No. 1 Shop',
    'A-B Stores',
    'shop 24',
  ])('may be %s', (name) => expect(businessNameProblem(name)).toBeNull());

  it.each([
    ['', 'please enter your business name!'],
    ['Ada', 'minimum of 4 characters'],
    ['a'.repeat(61), 'maximum of 60 characters'],
    ['Ada/Stores', "only letters, digits, spaces and & ' . - can stand in a business name"],
    ['Stores Ⅷ', "only letters, digits, spaces and & ' . - can stand in a business name"],
    ['Stores ½', "only letters, digits, spaces and & ' . - can stand in a business name"],
    ['Stores²', "only letters, digits, spaces and & ' . - can stand in a business name"],
    ['& - .', 'a business name needs letters or digits'],
    ['Anonymous', 'this name is reserved'],
    ['-Admin-', 'this name is reserved'],
    ['Oja Support', 'this name is reserved'],
    ['O.J.A. Official', 'this name is reserved'],
    ['The Oja Team', 'this name is reserved'],
    ['Support-Team', 'this name is reserved'],
    ['ADMIN 1', 'this name is reserved'],
    ['Adm1nistrator', 'this name is reserved'],
    ['0ja Payments', 'this name is reserved'],
    ['Ọ̀jà Sùppórt', 'this name is reserved'],
    ['OjaCustomerCare', 'this name is reserved'],
    ['Аdunni Textiles', 'write the name in the letters of one script'],
    ['Adunni Τextiles', 'write the name in the letters of one script'],
    ['Ada ストア', 'write the name in the letters of one script'],
    ['Ада Сторес', 'only letters of scripts that look like no other can stand in a business name'],
    ['Οξα', 'minimum of 4 characters'],
    ['Αδα Στορ', 'only letters of scripts that look like no other can stand in a business name'],
    [
      'Adunnı Textiles',
      'only letters of scripts that look like no other can stand in a business name',
    ],
    ['ᴀᴅᴜɴɴɪ', 'only letters of scripts that look like no other can stand in a business name'],
    ['Adɑ Stores', 'only letters of scripts that look like no other can stand in a business name'],
    ['ㅤㅤㅤㅤ', 'only letters of scripts that look like no other can stand in a business name'],
    ['Ada٠ Stores', 'only letters of scripts that look like no other can stand in a business name'],
    ['A̴̵̶̷da Stores', 'a letter has too many marks'],
  ])('may not be %s', (name, problem) => expect(businessNameProblem(name)).toBe(problem));
});
