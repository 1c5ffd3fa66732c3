/** The states Oja delivers in, with their local governments in the order of the alphabet. */
export const states = [
  { name: 'Enugu', localGovts: ['Enugu North', 'Enugu-Ezike', 'Nsukka'] },
  {
    name: 'Lagos',
    localGovts: [
      'Agege',
      'Ajeromi-Ifelodun',
      'Almosho',
      'Amuwa-Odofin',
      'Apapa',
      'Eti-Osa',
      'Ibeju-Lekki',
      'Ifaka-Ijaye',
      'Ikeja',
      'Kasofe',
      'Lagos Island',
      'Lagos Mainland',
      'Mushin',
      'Ojo',
      'Oshodi-Isolo',
      'Shamalu',
      'Surulere',
    ],
  },
] as const;
type StateName = (typeof states)[number]['name'];

export const ALL_PLACES = 'All States/Local Govt';

/** Whether the local government is one of the state's, both spelt as in the list. */
export function isPlace(state: string, localGovt: string): boolean {
  return states.some((s) => s.name === state && s.localGovts.some((name) => name === localGovt));
}

/** The state of a local government; null for a name that is not in the list. */
export function stateOf(localGovt: string): StateName | null {
  return states.find((s) => s.localGovts.some((name) => name === localGovt))?.name ?? null;
}
