/** Values of fields of firewall rules. Separate from the rules, because the start of the console needs no others. */

export const firewallStatuses = ['disabled', 'enabled'] as const
export const firewallDirections = ['inbound', 'outbound'] as const
export const firewallActions = ['allow', 'deny'] as const
export type FirewallStatus = (typeof firewallStatuses)[number]
export type FirewallDirection = (typeof firewallDirections)[number]
export type FirewallAction = (typeof firewallActions)[number]
