import { switchSlots } from '@steading/api/rules'

/** The switches, for fields that choose one. */
export const switchOptions = switchSlots.map((value) => ({ value, label: value }))
