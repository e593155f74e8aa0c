import { everyone } from "../../../src/core/principal.ts";
import type { SampleDocument } from "../../fakes/memory-library.ts";

/** A small company's handbook as it might come out of PDFs: pages of plain text, with a list, a table and broken lines. */
export const handbook: readonly SampleDocument[] = [
  {
    title: "People Handbook",
    grants: [everyone],
    pages: [
      `Working time

The working week has 38 hours. Core time is from 09:30 to 14:30. Overtime must be agreed with your lead in
advance and is taken back as free time within three months.

1 / 4`,
      `Annual leave

Full-time employees have 29 days of annual leave a year. Part-time employees have a proportional share. Up to 6 unused
days can be carried over until 31 March. Ask for leave in the Tempo app at least two weeks ahead.

Sick leave

If you are ill, tell your lead before 09:00. A doctor's certificate is needed from the third day. It is sent to
people@northwind.example.`,
      `Parental leave

Each parent has 20 weeks of parental leave at full pay. It can be split into two parts within the child's first two years.
Tell your lead at least ten weeks before it begins.

Bereavement

For the death of a close relative there are 5 days of paid leave.`,
      `Benefits

The company offers:
- a pension to which we pay 6 % of your salary
- a yearly learning budget of 1,200 euros
- a bicycle leasing scheme

Nora Lindqvist leads the people team and answers questions on benefits.`,
    ],
  },
  {
    title: "Travel Policy",
    grants: [everyone],
    pages: [
      `Booking

Book trains and flights in Voyago, as early as you can. Flights under 700 kilometres are not reimbursed. Hotels may
cost up to 130 euros a night, in Oslo and Zurich up to 180 euros (see [12]).`,
      `Expenses

Hand in receipts within 45 days of the trip. Expenses are paid with the next salary. Meals are paid at 28 euros a day.`,
    ],
  },
  {
    title: "IT Guide",
    grants: [everyone],
    pages: [
      `Lost devices

Report a lost or stolen laptop on +47 555 0100 at once. The device is wiped within 15 minutes.

| Severity | Example | Response |
| --- | --- | --- |
| 1 | website down | 15 minutes |
| 2 | printer broken | next working day |

Passwords

Passwords have at least 14 characters and are kept in Vaultly. Never send a password by e.g. email or chat.`,
    ],
  },
];
