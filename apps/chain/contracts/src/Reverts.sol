// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Reverts in every possible way, to test error decoding.
contract Reverts {
    error NotEnoughPages(uint256 available, uint256 required);

    uint256 public pages = 12;

    function withReason() external {
        pages = 0;
        revert('The book is closed');
    }

    function withCustomError(uint256 required) external {
        if (required > pages) revert NotEnoughPages(pages, required);
        pages -= required;
    }

    /// Panic 0x12, division by zero.
    function withPanic() external {
        uint256 zero = pages - pages;
        pages = 1 / zero;
    }

    function withoutData() external {
        pages = 0;
        // Reverts without data.
        revert();
    }
}
