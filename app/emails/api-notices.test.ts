import { describe, expect, it } from "vitest";
import { reminderNotice, taskAssignmentNotice, userRemovalNotice } from "./api-notices";
import { brand } from "../../tests/factories/brand";

const hostile = '</p><img src=x onerror="alert(1)">\r\nBcc: e@example.com';

describe("notification emails of the application", () => {
  it("remind of something, with its due date and a link", () => {
    const { subject, text, html } = reminderNotice(
      {
        title: "Budget",
        message: "Two lines\nof it.",
        dueDate: "2026-12-31",
        link: "https://e.example/1",
      },
      brand,
    );
    expect(subject).toBe("Reminder: Budget");
    const due = "Due on Thursday, December 31, 2026.";
    const texts = [
      "This is a reminder of: Budget",
      due,
      "Two lines\nof it.",
      "Open in Confer:\nhttps://e.example/1",
    ];
    expect(text).toContain(texts.join("\n\n"));
    expect(html).toContain('href="https://e.example/1"');
    expect(html).toContain("Two lines<br>");
  });

  it("omit what was not given", () => {
    const { text } = reminderNotice({ title: "Budget" }, brand);
    expect(text).toMatch(/^This is a reminder of: Budget\n\n-+\n/);
    expect(taskAssignmentNotice({ title: "Budget" }, brand).text).toMatch(
      /^You have a new task: Budget\n\n-+\n/,
    );
    expect(userRemovalNotice({}, brand).text).not.toMatch(/Reason|undefined/);
  });

  it("name a task and who assigned it", () => {
    const { subject, text } = taskAssignmentNotice(
      {
        title: "Budget",
        assignedBy: "Ada",
        description: "All of it.",
      },
      brand,
    );
    expect(subject).toBe("New task: Budget");
    expect(text).toContain("Ada assigned a task to you: Budget");
    expect(text).toContain("All of it.");
  });

  it("name the tenant and the reason of a removal", () => {
    const { subject, text } = userRemovalNotice({ tenantName: "Acme", reason: "Project over" }, brand);
    expect(subject).toBe("You were removed from Acme on Confer");
    expect(text).toContain("Reason: Project over");
  });

  // C42
  it.each(["evil.example/x", "www.evil", "evil。example", "a@evil.example"])(
    "omit the name %s, as if it had not been given",
    (name) => {
      expect(taskAssignmentNotice({ title: "Budget", assignedBy: name }, brand)).toEqual(
        taskAssignmentNotice({ title: "Budget" }, brand),
      );
      expect(userRemovalNotice({ tenantName: name }, brand)).toEqual(userRemovalNotice({}, brand));
    },
  );

  // C18
  it.each([
    ["a reminder", reminderNotice({ title: hostile, message: hostile }, brand)],
    ["a task", taskAssignmentNotice({ title: hostile, description: hostile, assignedBy: hostile }, brand)],
    ["a removal", userRemovalNotice({ tenantName: hostile, reason: hostile }, brand)],
  ])("%s has no given text as header or HTML", (_, { subject, html }) => {
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img");
  });
});
