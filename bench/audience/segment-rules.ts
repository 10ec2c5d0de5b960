import type { SegmentRule } from '../../contract/audience/segment-rule.ts'

/** Number of the fields of the bench's contacts. */
export const field = {
  firstName: 1,
  lastName: 2,
  city: 3,
  plan: 4,
  score: 5,
  memberSince: 6,
  isPartner: 7,
  company: 8,
} as const

/** What the rules refer to. */
export interface RuleObjects {
  largeList: string
  smallList: string
  segment: string
  campaign: string
}

/** 30 rules of a marketer: text, numbers, days, lists, segments and mails, alone and together. */
export function typicalRules({ largeList, smallList, segment, campaign }: RuleObjects): Record<string, SegmentRule> {
  const { firstName, lastName, city, plan, score, memberSince, isPartner, company } = field
  const berlin: SegmentRule = { field: city, op: 'is', value: 'Berlin' }
  const onLarge: SegmentRule = { list: largeList, op: 'member_of' }
  const notSent: SegmentRule = { not: { behaviour: 'was_sent', within_days: 30 } }
  return {
    everybody: { all: [] },
    'city is': berlin,
    'city is not': { field: city, op: 'is_not', value: 'Berlin' },
    'city one of': { field: city, op: 'is_one_of', value: ['Berlin', 'Hamburg', 'Wien'] },
    'name contains': { field: lastName, op: 'contains', value: 'ross' },
    'name starts with': { field: firstName, op: 'starts_with', value: 'jü' },
    'company is set': { field: company, op: 'is_set' },
    'company is not set': { field: company, op: 'is_not_set' },
    'address of a domain': { field: 'email', op: 'contains', value: '@mail7.' },
    'language is': { field: 'locale', op: 'is', value: 'de' },
    'source is': { field: 'source', op: 'is', value: 'import' },
    'status is': { field: 'status', op: 'is', value: 'active' },
    'plan is': { field: plan, op: 'is', value: 'team' },
    'score above': { field: score, op: 'gt', value: 900 },
    'score between': { field: score, op: 'between', value: [100, 200] },
    partner: { field: isPartner, op: 'is_true' },
    'member since before': { field: memberSince, op: 'before', value: '2020-01-01' },
    'member within 365 days': { field: memberSince, op: 'within_days', value: 365 },
    'anniversary in 7 days': { field: memberSince, op: 'anniversary_in_days', value: 7 },
    'added within 30 days': { field: 'created_at', op: 'within_days', value: 30 },
    'on a list of half': onLarge,
    'not on a small list': { list: smallList, op: 'not_member_of' },
    'in a segment': { segment, op: 'member_of' },
    'city and list': { all: [berlin, onLarge] },
    'one of four groups': {
      any: [berlin, { field: plan, op: 'is', value: 'team' }, { field: score, op: 'lt', value: 10 }, onLarge],
    },
    'all of six': {
      all: [
        { field: city, op: 'is_one_of', value: ['Berlin', 'Hamburg', 'Wien'] },
        { field: score, op: 'gte', value: 100 },
        { field: plan, op: 'is_not', value: 'free' },
        { field: isPartner, op: 'is_false' },
        { field: memberSince, op: 'after', value: '2015-06-30' },
        onLarge,
      ],
    },
    'sent within 30 days': { behaviour: 'was_sent', within_days: 30 },
    'city, not sent within 30 days': { all: [berlin, notSent] },
    'sent a campaign': { behaviour: 'was_sent', source: { campaigns: [campaign] } },
    'unsubscribed within a year': { behaviour: 'unsubscribed', within_days: 365 },
  }
}

/** Rules of 50 live segments; `objects` as for the typical ones. */
export function liveRules({ largeList, smallList }: Pick<RuleObjects, 'largeList' | 'smallList'>): SegmentRule[] {
  const cities = ['Berlin', 'Hamburg', 'Wien', 'Paris', 'Porto']
  return Array.from({ length: 50 }, (_, at): SegmentRule => {
    const inCity: SegmentRule = { field: field.city, op: 'is', value: cities[at % cities.length] ?? '' }
    const others: SegmentRule[] = [
      { field: field.score, op: 'gt', value: at * 20 },
      { list: at % 2 === 0 ? largeList : smallList, op: 'member_of' },
      { field: field.memberSince, op: 'within_days', value: 100 * (at + 1) },
      { field: field.plan, op: 'is_one_of', value: ['team', 'business'] },
      { field: field.lastName, op: 'contains', value: `s${at % 10}` },
    ]
    return { all: [inCity, others[at % others.length] ?? inCity] }
  })
}
