import type { TemplateAbout } from './template.ts'
import { abandonedBasket } from './templates/abandoned-basket.ts'
import { appointment } from './templates/appointment.ts'
import { birthday } from './templates/birthday.ts'
import { changelog } from './templates/changelog.ts'
import { confirmAddress } from './templates/confirm-address.ts'
import { digest } from './templates/digest.ts'
import { eventInvitation } from './templates/event-invitation.ts'
import { eventReminder } from './templates/event-reminder.ts'
import { holidayGreeting } from './templates/holiday-greeting.ts'
import { invoice } from './templates/invoice.ts'
import { newsletterBroadsheet } from './templates/newsletter-broadsheet.ts'
import { newsletterFive } from './templates/newsletter-five.ts'
import { newsletterMagazine } from './templates/newsletter-magazine.ts'
import { passwordReset } from './templates/password-reset.ts'
import { plainLetter } from './templates/plain-letter.ts'
import { productLaunch } from './templates/product-launch.ts'
import { reEngagement } from './templates/re-engagement.ts'
import { receipt } from './templates/receipt.ts'
import { referral } from './templates/referral.ts'
import { reviewRequest } from './templates/review-request.ts'
import { sale } from './templates/sale.ts'
import { serviceNotice } from './templates/service-notice.ts'
import { shippingNotice } from './templates/shipping-notice.ts'
import { survey } from './templates/survey.ts'
import { teamInvitation } from './templates/team-invitation.ts'
import { thankYou } from './templates/thank-you.ts'
import { trialEnding } from './templates/trial-ending.ts'
import { webinar } from './templates/webinar.ts'
import { welcome } from './templates/welcome.ts'

/** Every global template, in the order a list shows them. */
export const catalogue: readonly TemplateAbout[] = [
  welcome,
  confirmAddress,
  passwordReset,
  teamInvitation,
  trialEnding,
  serviceNotice,
  receipt,
  invoice,
  shippingNotice,
  abandonedBasket,
  reviewRequest,
  newsletterBroadsheet,
  newsletterMagazine,
  newsletterFive,
  digest,
  changelog,
  productLaunch,
  sale,
  referral,
  birthday,
  eventInvitation,
  eventReminder,
  webinar,
  appointment,
  survey,
  reEngagement,
  holidayGreeting,
  thankYou,
  plainLetter,
]
