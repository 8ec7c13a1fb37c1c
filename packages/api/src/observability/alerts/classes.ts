/** Classes of alerts. Separate from the rules, because the start of the console needs no others. */

/** Alert class → its description. */
export const alertClasses = {
  'hardware.power_shelf.psu.insert': 'A power supply unit (PSU) was inserted into a power shelf.',
  'hardware.power_shelf.psu.remove': 'A power supply unit (PSU) was removed from a power shelf.',
  'alert_rule.firing': 'Series of an alert rule have started to fire.',
  'alert_rule.resolved': 'Series of an alert rule have stopped firing.',
} as const satisfies Record<string, string>
export type AlertClassName = keyof typeof alertClasses
export const alertClassNames = Object.keys(alertClasses) as AlertClassName[]
