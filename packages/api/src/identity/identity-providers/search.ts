import { providerProtocols } from '../saml-login/rules.ts'

/**
 * The searches of both sorts of identity providers. They have the same columns and filters, so that
 * one list can show both.
 */
export const providerColumns = ['name', 'natural_name', 'description', 'time_created'] as const
export const providerFilters = { type: providerProtocols } as const
