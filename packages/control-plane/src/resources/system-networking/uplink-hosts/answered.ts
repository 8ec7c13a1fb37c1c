/** Answers of the uplinks, or why there are none. */
import { fail } from '../../../kernel/errors.ts'
import { TooManyRoutes, UplinksSilent } from '../../../kernel/ports/uplinks.ts'

/** @throws ApiError 503 if nothing answers, or there is more than can be listed */
export async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof UplinksSilent || error instanceof TooManyRoutes) {
      throw fail.unavailable(error.message)
    }
    throw error
  }
}

/** For issues: of silent hosts there is one already. */
export async function known<Answer>(asked: Promise<Answer[]>): Promise<Answer[]> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof UplinksSilent) return []
    throw error
  }
}
