export const filterMessages = {
  from: "From (UTC)",
  to: "To (UTC)",
  show: "Apply",
  clear: "Clear filters",
  notAChoice: "Please choose one of these.",
  notADay: "Please enter a day like 2026-11-21.",
  dayBefore: "This day is before the first one.",
} as const;
